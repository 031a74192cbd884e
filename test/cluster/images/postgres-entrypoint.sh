#!/bin/sh
# The part of the public image's contract that the chart relies on: the first start creates a
# cluster in PGDATA with the password and the database from the environment.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  (umask 077 && printf %s "$POSTGRES_PASSWORD" >/tmp/password)
  initdb --username=postgres --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust
  rm /tmp/password
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  pg_ctl --wait --options="-c listen_addresses=''" start
  psql --username=postgres --command="create database \"$POSTGRES_DB\"" postgres
  pg_ctl --wait --mode=fast stop
fi
exec "$@"
