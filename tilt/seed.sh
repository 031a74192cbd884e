#!/bin/sh
# Creates the demo account in the cluster, through the ports that the Tiltfile forwards.
set -eu
cd "$(dirname "$0")/.."
IDENTITY_PRIVATE_KEY=$(
  kubectl get secret nutrition-journal-secrets --output 'jsonpath={.data.identity-key-admin}' |
    base64 --decode
)
export IDENTITY_PRIVATE_KEY
export AUTH_ADDRESS=127.0.0.1:4701 JOURNAL_ADDRESS=127.0.0.1:4702 BASE_URL=http://127.0.0.1:3000
exec node_modules/.bin/node deploy/local/src/seed.ts
