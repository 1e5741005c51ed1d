import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate of its own making for 127.0.0.1 and localhost, in PEM. */
export type SelfSigned = { cert: string; key: string; fingerprint: string };

export function selfSigned(): SelfSigned {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-tls-'));
  try {
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const request =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost';
    const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
    const files = ['-keyout', keyFile, '-out', certFile];
    execFileSync('openssl', [...request.split(' '), ...names, ...files], { stdio: 'pipe' });
    const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
    return { cert, key, fingerprint: new X509Certificate(cert).fingerprint256 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
