package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
)

const ordersToken = "a-token-of-the-orders-api"

type order struct {
	Number   int     `json:"number"`
	Customer string  `json:"customer"`
	Total    float64 `json:"total"`
	State    string  `json:"state"`
	Internal string  `json:"internal,omitempty"`
}

// ordersAPI is somebody's server, for pages that ask one.
func ordersAPI() *httptest.Server {
	var mu sync.Mutex
	orders := map[string]order{"7": {7, "Ada", 19.5, "open", "not for models"}}
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(v)
	}
	mux.HandleFunc("GET /orders/{number}", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		o, ok := orders[r.PathValue("number")]
		if !ok {
			http.Error(w, "no such order", http.StatusNotFound)
			return
		}
		answer(w, map[string]any{"order": o, "links": []string{"a", "b"}})
	})
	mux.HandleFunc("GET /orders", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		found := []order{}
		for _, o := range orders {
			if o.Customer == r.FormValue("customer") && o.State == r.FormValue("state") {
				o.Internal = ""
				found = append(found, o)
			}
		}
		answer(w, map[string]any{"orders": found})
	})
	mux.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Customer string
			Lines    []struct {
				Product string
				Units   int
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Customer == "" || len(in.Lines) == 0 {
			http.Error(w, "no order", http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		orders["8"] = order{Number: 8, Customer: in.Customer, State: "open"}
		answer(w, map[string]int{"number": 8})
	})
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+ordersToken {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	}))
}
