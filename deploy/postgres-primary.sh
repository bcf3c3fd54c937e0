#!/bin/bash
# Runs once, when the primary's data folder is created. Permits the standby to follow the primary, and makes every commit wait for
# the standby from the next start. (As an option of the server, this would already block the creation of the folder.)
set -e
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE replica REPLICATION LOGIN PASSWORD :'password';
ALTER SYSTEM SET synchronous_standby_names = 'standby';
SQL
echo 'host replication replica samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
