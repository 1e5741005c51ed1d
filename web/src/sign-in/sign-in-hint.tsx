import { Button, Code, CopyButton } from '@mantine/core';
import { Bell } from '../kit/icons.tsx';

const COMMAND = 'npm run -s tocsin -- owner create --email you@example.com --name "Your Name"';

/** Nobody is signed in: how to get a link. */
export function SignInHint() {
  return (
    <main style={{ minHeight: '100dvh', display: 'grid', placeItems: 'center', padding: 24 }}>
      <div className="stack" style={{ maxWidth: 560, width: '100%', gap: 20 }}>
        <div className="row">
          <Bell />
          <b>Tocsin</b>
        </div>
        <h1 style={{ fontSize: 26 }}>Sign in with a one-time link</h1>
        <p className="muted">
          Whoever runs this service prints a link for you with this command, in the folder where it runs. The
          link works once, for a day; you then stay signed in on this device for 30 days.
        </p>
        <Code
          block
          p={16}
          fz={13}
          style={{ whiteSpace: 'pre-wrap', background: 'var(--surface)', border: '1px solid var(--line)' }}
        >
          {COMMAND}
        </Code>
        <div>
          <CopyButton value={COMMAND}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy the command'}</Button>}
          </CopyButton>
        </div>
      </div>
    </main>
  );
}
