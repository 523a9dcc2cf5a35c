-- Times are microseconds since 1970. Text compares byte by byte.

-- +goose Up
PRAGMA application_id = 0x68656c76; -- "helv": how sqlite.Open knows its files

CREATE TABLE helve_sessions (
    id    TEXT PRIMARY KEY NOT NULL,
    saved INTEGER NOT NULL,
    state BLOB -- JSON; NULL when no run is open
) STRICT;

CREATE TABLE helve_messages (
    session TEXT NOT NULL REFERENCES helve_sessions (id) ON DELETE CASCADE,
    place   INTEGER NOT NULL CHECK (place >= 0),
    body    BLOB NOT NULL, -- JSON, as package message writes it
    PRIMARY KEY (session, place)
) STRICT;

CREATE TABLE helve_values (
    key     TEXT PRIMARY KEY NOT NULL,
    value   BLOB NOT NULL,
    expires INTEGER -- NULL is never
) STRICT;

CREATE INDEX helve_values_expires ON helve_values (expires) WHERE expires IS NOT NULL;
