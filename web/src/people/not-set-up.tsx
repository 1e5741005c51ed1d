import { Link } from '@tanstack/react-router';
import { CHANNEL } from '../../../src/notifications/channels/contract.ts';
import type { PeopleOverview } from '../../../src/people/person-contract.ts';

/**
 * Problems that affect everybody, shown once instead of for each person; nothing when everybody is reachable otherwise.
 */
export function NotSetUp({ people, not_set_up: channels }: PeopleOverview) {
  const missed = people.some(({ why_not: why, disabled }) => why !== null && !disabled);
  if (!missed || channels.length === 0) return null;
  const names = channels.map((channel) =>
    channel === 'voice' ? 'phone calls' : CHANNEL[channel].words.short,
  );
  return (
    <p className="ink-watch">
      Not set up here: {new Intl.ListFormat('en-GB').format(names)}, so that nobody is reached that way.{' '}
      <Link
        className="link"
        style={{ textDecoration: 'underline' }}
        to="/settings"
        search={{ tab: 'channels' }}
      >
        See the channels
      </Link>
    </p>
  );
}
