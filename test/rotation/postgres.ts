import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { testAuthority } from "@nutrition/core/testing-certificates";
import { onFreePort } from "@nutrition/local/ports";
import { postgresUrl, startPostgres } from "@nutrition/local/postgres";
import { findPostgres } from "@nutrition/local/postgres-binaries";

export interface TlsPostgres extends AsyncDisposable {
  /** The superuser's address, without TLS. */
  readonly adminUrl: string;
  /** The address without a user, for connections that check the server's certificate. */
  readonly url: string;
}

/** Starts a separate PostgreSQL with its own roles and a certificate, in `folder`. */
export async function startTlsPostgres(folder: string): Promise<TlsPostgres> {
  const { owner } = await findPostgres();
  const place = join(folder, "postgres-tls");
  await mkdir(place);
  const authority = testAuthority("database");
  const { cert, key } = authority.issue();
  const [certFile, keyFile, caFile] = ["server.crt", "server.key", "ca.crt"].map((name) =>
    join(place, name),
  ) as [string, string, string];
  await writeFile(caFile, authority.certificate);
  await writeFile(certFile, cert);
  // PostgreSQL refuses a key that others can read.
  await writeFile(keyFile, key, { mode: 0o600 });
  if (owner) await chown(keyFile, owner.uid, owner.gid);
  await chmod(place, 0o711);
  const password = "of-the-administrator";
  const tls = { ssl: "on", ssl_cert_file: certFile, ssl_key_file: keyFile };
  const server = await onFreePort(async (port) => {
    const [directory, log] = [join(folder, `${port}`), join(folder, "postgres.log")];
    const settings = { fsync: "off", max_connections: "200", ...tls };
    const options = { directory, log, port, password, settings, temporary: true };
    return { ...(await startPostgres(options)), port };
  });
  return {
    adminUrl: postgresUrl({ port: server.port, password }),
    url: `postgres://127.0.0.1:${server.port}/postgres?sslmode=verify-full&sslrootcert=${caFile}`,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
