import { Link } from '@tanstack/react-router';
import { CHANNEL } from '../../../src/notifications/channels/contract.ts';
import type { PeopleOverview } from '../../../src/people/person-contract.ts';
import { localeOf } from '../kit/time-formats.ts';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';

/**
 * Problems that affect everybody, shown once instead of for each person; nothing when everybody is reachable otherwise.
 */
export function NotSetUp({ people, not_set_up: channels }: PeopleOverview) {
  const missed = people.some(({ why_not: why, disabled }) => why !== null && !disabled);
  if (!missed || channels.length === 0) return null;
  const names = channels.map((channel) =>
    channel === 'voice' ? t('phone calls') : CHANNEL[channel].words.short,
  );
  return (
    <p className="ink-watch">
      <Rich
        text="Not set up here: {channels}. Nobody can be reached that way. <link>See the channels</link>"
        channels={new Intl.ListFormat(localeOf()).format(names)}
        link={(text) => (
          <Link
            className="link"
            style={{ textDecoration: 'underline' }}
            to="/settings"
            search={{ tab: 'channels' }}
          >
            {text}
          </Link>
        )}
      />
    </p>
  );
}
