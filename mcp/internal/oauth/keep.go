package oauth

import "context"

// reload takes over what the store holds, which another process may have changed.
func (h *Handler) reload() error {
	if h.store == nil || h.machine() {
		return nil
	}
	r, err := h.store.load(h.config.URL)
	if err != nil {
		return h.errorf("its login can't be read: %w", err)
	}
	if !h.ours(r) {
		r = record{}
	}
	if !r.Registered && h.config.ClientSecret != "" {
		r.ClientSecret = h.config.ClientSecret
	}
	h.known = r
	return nil
}

// ours says that a login was made as the client that the configuration means now.
func (h *Handler) ours(r record) bool {
	switch {
	case r.ClientID == "": // it was forgotten
		return true
	case r.Registered:
		return h.config.ClientID == "" || h.document()
	}
	return r.ClientID == h.config.ClientID
}

// save keeps a login, in memory and in the store. A secret that the configuration holds
// stays there alone.
func (h *Handler) save(r record) error {
	r.URL = h.config.URL
	h.known = r
	if h.store == nil {
		return nil
	}
	if !r.Registered {
		r.ClientSecret = ""
	}
	if err := h.store.save(r); err != nil {
		return h.errorf("its login can't be saved: %w", err)
	}
	return nil
}

// hold keeps other processes from the login until it is released, and knows it as it is
// stored now.
func (h *Handler) hold(ctx context.Context) (release func(), err error) {
	release, err = h.store.lock(ctx, h.config.URL)
	if err != nil {
		return nil, h.errorf("%w", err)
	}
	if err := h.reload(); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// update changes the login as it is stored now.
func (h *Handler) update(ctx context.Context, change func(*record)) error {
	release, err := h.hold(ctx)
	if err != nil {
		return err
	}
	defer release()
	r := h.known
	change(&r)
	return h.save(r)
}
