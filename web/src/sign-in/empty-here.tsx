import { CopyField } from '../kit/copy.tsx';
import { Outside } from './outside.tsx';

const COMMAND = 'npm run -s tocsin -- owner create --email you@example.com --name "Your Name"';

/** The service was just set up. Only who started it can be its owner: nobody else sees its terminal. */
export function EmptyHere() {
  return (
    <Outside
      wide
      title="Nobody is here yet"
      lead="Whoever started this service finds a link in its terminal, or in the file welcome-link of its data directory. It makes the owner and leads to everything else."
    >
      <p className="muted">
        The link is gone? This prints another one, in the folder where the service runs:
      </p>
      <CopyField text={COMMAND} what="the command" />
    </Outside>
  );
}
