package rest
