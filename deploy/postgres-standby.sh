#!/bin/bash
# Copies the primary at the first start, and then follows it under the name of the standby for which the primary waits.
set -eu
export PGPASSWORD="$POSTGRES_PASSWORD"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --host="${PRIMARY:-postgres}" --port="${PRIMARY_PORT:-5432}" --username=replica --pgdata="$PGDATA" \
    --wal-method=stream --checkpoint=fast --write-recovery-conf; do
    find "$PGDATA" -mindepth 1 -delete
    sleep 2
  done
  chmod 700 "$PGDATA"
fi
exec postgres -c cluster_name=standby
