package dataanalysis

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// What one page of a Parquet file may be when it is unpacked: the library holds
// it whole, and the pages of all columns at once. A page has 1 MiB as a rule.
const (
	maxPage       = 64 << 20 // bytes
	maxPageValues = 16 << 20 // values: a run of equal ones takes no bytes
)

// checkPages reads the headers of all pages before any is unpacked: 100 KiB of
// zeros can be a page of GiBs.
func (f *parquetFile) checkPages(ctx context.Context, file *parquet.File) error {
	unpacked := map[string]int64{}
	for _, group := range file.Metadata().RowGroups {
		for _, chunk := range group.Columns {
			column := strings.Join(chunk.MetaData.PathInSchema, ".")
			n, err := f.checkChunk(ctx, &chunk.MetaData)
			if err != nil {
				return fmt.Errorf("%s, column %s: %w", f.name, column, err)
			}
			if unpacked[column] += n; unpacked[column] > f.limit {
				return fmt.Errorf("%s, column %s: unpacked it has more than %s", f.name, column, size(f.limit))
			}
		}
	}
	return nil
}

// checkChunk returns how many bytes the pages of a column in one row group have
// when they are unpacked.
func (f *parquetFile) checkChunk(ctx context.Context, meta *format.ColumnMetaData) (unpacked int64, err error) {
	at := meta.DataPageOffset
	if meta.DictionaryPageOffset != 0 {
		at = meta.DictionaryPageOffset
	}
	end := at + meta.TotalCompressedSize
	if at < 0 || end < at || end > f.r.Size() {
		return 0, fmt.Errorf("its pages lie outside the file: it is damaged")
	}
	for at < end {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		header, length, err := f.pageHeader(at, end)
		if err != nil {
			return 0, fmt.Errorf("a page is damaged: %w", err)
		}
		if header.UncompressedPageSize > maxPage {
			return 0, fmt.Errorf("a page of %s when it is unpacked: at most %s can be read; write the file with smaller pages", size(int64(header.UncompressedPageSize)), size(maxPage))
		}
		if n := pageValues(header); n > maxPageValues {
			return 0, fmt.Errorf("a page of %d values: at most %d can be read; write the file with smaller pages", n, maxPageValues)
		}
		unpacked += int64(header.UncompressedPageSize)
		at += length + int64(header.CompressedPageSize)
	}
	return unpacked, nil
}

// pageHeader reads the header at a place of the file and returns its length.
func (f *parquetFile) pageHeader(at, end int64) (header *format.PageHeader, length int64, err error) {
	section := io.NewSectionReader(f.r, at, end-at)
	r := bufio.NewReaderSize(section, 512)
	var protocol thrift.CompactProtocol
	header = new(format.PageHeader)
	if err := thrift.NewDecoder(protocol.NewReader(r)).Decode(header); err != nil {
		return nil, 0, err
	}
	if header.CompressedPageSize < 0 || header.UncompressedPageSize < 0 {
		return nil, 0, fmt.Errorf("its size is below 0")
	}
	read, err := section.Seek(0, io.SeekCurrent)
	return header, read - int64(r.Buffered()), err
}

func pageValues(h *format.PageHeader) int32 {
	return max(h.DataPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues, h.DictionaryPageHeader.V.NumValues)
}
