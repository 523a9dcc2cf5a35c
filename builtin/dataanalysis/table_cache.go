package dataanalysis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// cached is an image that is kept for the next call.
type cached struct {
	info  fs.FileInfo // of the file that it was made of
	image *image
	used  int64 // when, counted in loads
}

// cache keeps images as long as their files stay the same, and at most so many
// bytes of them: the ones that were used last.
type cache struct {
	turn   chan struct{} // holds a token while nobody loads: two loads at once only hinder each other
	mu     sync.Mutex
	images map[string]*cached
	clock  int64
}

func (c *cache) get(key string, info fs.FileInfo) *image {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, ok := c.images[key]
	if !ok || !same(kept.info, info) {
		return nil
	}
	c.clock++
	kept.used = c.clock
	return kept.image
}

// put keeps an image and lets go of others where there are too many. A query that
// still reads one of those holds it.
func (c *cache) put(key string, info fs.FileInfo, img *image, limit int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clock++
	c.images[key] = &cached{info, img, c.clock}
	for {
		var total int64
		oldest := key
		for k, kept := range c.images {
			total += kept.image.size
			if kept.used < c.images[oldest].used {
				oldest = k
			}
		}
		if total <= limit || oldest == key {
			return
		}
		delete(c.images, oldest)
	}
}

// load returns the image of e's file as it is now.
func (d *data) load(ctx context.Context, e *entry) (*image, error) {
	f, info, err := d.open(e.path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.path, err)
	}
	defer f.Close()
	key := e.path + "\x00" + e.part
	if img := d.cache.get(key, info); img != nil {
		return img, nil
	}
	select {
	case <-d.cache.turn:
		defer func() { d.cache.turn <- struct{}{} }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if img := d.cache.get(key, info); img != nil {
		return img, nil // another call has loaded it meanwhile
	}
	if info.Size() > d.MaxBytes {
		return nil, fmt.Errorf("%s has %s, and at most %s are read: ask for a part of it in a file of its own", e.path, size(info.Size()), size(d.MaxBytes))
	}
	img, err := build(ctx, e, io.NewSectionReader(f, 0, info.Size()), d.MaxBytes)
	if err != nil {
		return nil, err
	}
	if after, err := f.Stat(); err != nil || !same(info, after) {
		return nil, fmt.Errorf("%s: %w", e.path, errChanged)
	}
	d.cache.put(key, info, img, d.MaxBytes)
	return img, nil
}

func build(ctx context.Context, e *entry, r *io.SectionReader, limit int64) (img *image, err error) {
	defer func() {
		if r := recover(); r != nil { // the library for Parquet trusts files more than we do
			img, err = nil, fmt.Errorf("%s is damaged: it can't be read", e.path)
		}
	}()
	src, err := sourceOf(e, r, limit)
	if err != nil {
		return nil, err
	}
	img, err = buildImage(ctx, e.path, src, limit)
	text, ok := src.(*csvFile)
	if !ok {
		return img, err
	}
	if errors.Is(err, errNotUTF8) {
		text.latin = true
		img, err = buildImage(ctx, e.path, src, limit)
	}
	if err != nil {
		return nil, err
	}
	if text.latin {
		img.notes = append(img.notes, e.path+" is not UTF-8 and was read as Windows-1252")
	}
	if text.short > 0 {
		img.notes = append(img.notes, fmt.Sprintf("%d rows of %s have fewer values than the first line has names: the rest is NULL", text.short, e.path))
	}
	return img, nil
}
