package oauth
