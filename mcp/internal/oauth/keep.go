package oauth

import "context"

// reload takes over what the store holds, which another process may have changed. A
// login with another client than the configuration names now is none.
func (h *Handler) reload() error {
	if h.store == nil || h.machine() {
		return nil
	}
	r, err := h.store.load(h.config.URL)
	if err != nil {
		return h.errorf("its login can't be read: %w", err)
	}
	if !h.document() && h.config.ClientID != "" && !r.Registered && r.ClientID != h.config.ClientID {
		r = record{}
	}
	if !r.Registered && h.config.ClientSecret != "" {
		r.ClientSecret = h.config.ClientSecret
	}
	h.known = r
	return nil
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

// update changes the login as it is stored now.
func (h *Handler) update(ctx context.Context, change func(*record)) error {
	unlock, err := h.store.lock(ctx, h.config.URL)
	if err != nil {
		return h.errorf("%w", err)
	}
	defer unlock()
	if err := h.reload(); err != nil {
		return err
	}
	r := h.known
	change(&r)
	return h.save(r)
}
