import { CopyField } from '../kit/copy.tsx';
import { t } from '../language/t.ts';
import { Outside } from './outside.tsx';

const COMMAND = 'npm run -s tocsin -- owner create --email you@example.com --name "Your Name"';

/**
 * Shown by a service without users. Only the person who started it sees its terminal, so only they can create the
 * owner.
 */
export function EmptyHere() {
  return (
    <Outside
      wide
      title={t('Create the owner')}
      lead={t(
        'Tocsin has no users yet. When it started, it printed a link in its terminal and in the file welcome-link of its data directory. Open that link to create the owner.',
      )}
    >
      <p className="muted">
        {t('If the link is lost, run this in the folder where the service runs to get another one:')}
      </p>
      <CopyField text={COMMAND} name={t('Copy the command')} />
    </Outside>
  );
}
