-- Times are microseconds since 1970. COLLATE "C" compares byte by byte. JSON is
-- bytea, not jsonb: jsonb has no \u0000 and changes numbers.

-- +goose Up
CREATE TABLE helve_sessions (
    id    text COLLATE "C" PRIMARY KEY,
    saved bigint NOT NULL,
    state bytea -- JSON; NULL when no run is open
);

CREATE TABLE helve_messages (
    session text COLLATE "C" NOT NULL REFERENCES helve_sessions (id) ON DELETE CASCADE,
    place   integer NOT NULL CHECK (place >= 0),
    body    bytea NOT NULL, -- JSON, as package message writes it
    PRIMARY KEY (session, place)
);

CREATE TABLE helve_values (
    key     text COLLATE "C" PRIMARY KEY,
    value   bytea NOT NULL,
    expires bigint -- NULL is never
);

CREATE INDEX helve_values_expires ON helve_values (expires) WHERE expires IS NOT NULL;
