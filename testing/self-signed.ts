import { execFileSync } from 'node:child_process';
import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A self-signed certificate and its key in PEM, by default for 127.0.0.1 and localhost. */
export type SelfSigned = { cert: string; key: string; fingerprint: string };

export type CertificateWishes = {
  /** `IP:…` and `DNS:…`, separated by commas. */
  names?: string;
  /** Days from now. */
  from?: number;
  until?: number;
};

const DAY_MS = 24 * 60 * 60 * 1_000;
const inDays = (days: number) =>
  `${new Date(Date.now() + days * DAY_MS).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;

const AUTHORITY = `
[ca]
default_ca = own
[own]
dir = .
database = index.txt
new_certs_dir = .
serial = serial.txt
default_md = sha256
policy = anything
copy_extensions = copy
[anything]
commonName = supplied
`;

export function selfSigned({
  names = 'IP:127.0.0.1,DNS:localhost',
  from = -1,
  until = 2,
}: CertificateWishes = {}): SelfSigned {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-tls-'));
  const openssl = (args: string, ...more: string[]) =>
    execFileSync('openssl', [...args.split(' '), ...more], { cwd: folder, stdio: 'pipe' });
  try {
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(join(folder, 'ca.cnf'), AUTHORITY);
    writeFileSync(join(folder, 'index.txt'), '');
    writeFileSync(join(folder, 'serial.txt'), `${randomBytes(8).toString('hex')}\n`);
    openssl(
      'req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -keyout key.pem -out request.pem',
      ...['-addext', `subjectAltName=${names}`],
    );
    openssl(
      `ca -config ca.cnf -batch -notext -selfsign -keyfile key.pem -in request.pem -out cert.pem -startdate ${inDays(from)} -enddate ${inDays(until)}`,
    );
    const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
    return { cert, key, fingerprint: new X509Certificate(cert).fingerprint256 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
