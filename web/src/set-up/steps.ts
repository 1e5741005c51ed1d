import type { LinkProps } from '@tanstack/react-router';
import { CHANNEL, type ChannelName } from '../../../src/notifications/channels/contract.ts';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import type { PersonSummary } from '../../../src/people/person-contract.ts';
import type { ScheduleListed } from '../../../src/schedules/settings-contract.ts';
import { listed, t } from '../language/t.ts';
import { namesOf } from '../people/names.ts';

/** What the steps are decided by. */
export type Facts = {
  /** The viewer is an owner or admin. */
  manages: boolean;
  channels: readonly { channel: ChannelName; unavailable: string | null }[];
  people: readonly Pick<PersonSummary, 'name' | 'disabled' | 'reachable_by'>[];
  schedules: readonly Pick<ScheduleListed, 'id' | 'name' | 'enabled' | 'stages' | 'backstop' | 'gap'>[];
  /** Webhooks and page sources. */
  ways: readonly { name: string; last_used_at: string | null; team: { slug: string } }[];
  teams: readonly { slug: string }[];
  /** The latest pages. */
  pages: readonly Pick<PageSummary, 'acknowledged_at' | 'acknowledged_via' | 'drill'>[];
};

/** A step of the set-up: whether it is done, a sentence about how things stand, and where it is done. */
export type SetUpStep = {
  name: string;
  done: boolean;
  state: string;
  link: LinkProps;
  go: string;
  /** It is done by sending a drill, in place. */
  drill?: boolean;
};

/** The steps from an empty organization to one that can be paged at night, in the order in which they are best done. */
export function setUpSteps(facts: Facts): SetUpStep[] {
  return [
    firstTeam(facts),
    providers(facts),
    people(facts),
    schedule(facts),
    backstop(facts),
    received(facts),
    drill(facts),
  ];
}

function firstTeam({ teams }: Facts): SetUpStep {
  const count = teams.length;
  return {
    name: t('Create a team'),
    done: count > 0,
    state:
      count === 0
        ? t('Pages go to teams, and you have none yet.')
        : t('{count, plural, one {# team.} other {# teams.}}', { count }),
    link: count === 0 ? { to: '/first-page' } : { to: '/teams' },
    go: count === 0 ? t('Create the first team') : t('Teams'),
  };
}

/** Channels that reach a person whose dashboard is closed. */
function providers({ channels, manages }: Facts): SetUpStep {
  const set = channels.filter(({ channel, unavailable }) => CHANNEL[channel].method !== null && !unavailable);
  // Push and webhooks need no provider, and a phone that is switched to silent does not ring for them.
  const loud = set.filter(({ channel }) => channel !== 'webhook' && channel !== 'push');
  const begins = loud.length === 0 && manages;
  return {
    name: t('Set up how people are reached'),
    done: loud.length > 0,
    state:
      loud.length === 0
        ? t('Only push reaches a person whose dashboard is closed. Set up email, SMS or phone calls.')
        : t('{count, plural, one {{channels} is set up.} other {{channels} are set up.}}', {
            channels: sentence(listed(loud.map(({ channel }) => CHANNEL[channel].words.plural))),
            count: loud.length,
          }),
    link: { to: '/settings', search: { tab: 'channels', ...(begins ? { provider: 'smtp' } : {}) } },
    go: begins ? t('Set up email') : t('Channels'),
  };
}

function people({ people: all }: Facts): SetUpStep {
  const active = all.filter(({ disabled }) => !disabled);
  const missing = active.filter(({ reachable_by }) => reachable_by !== 'contact_method');
  const few = missing.slice(0, 3);
  const more = missing.length - few.length;
  return {
    name: t('Invite people, and have each verify a contact method'),
    done: active.length > 1 && missing.length === 0,
    state:
      active.length < 2
        ? t('You are the only one: nobody answers while you sleep.')
        : missing.length === 0
          ? t('All {count} people are reachable.', { count: active.length })
          : more > 0
            ? t('{count} of {all} people have no verified contact method: {names} and {more} more.', {
                count: missing.length,
                all: active.length,
                names: namesOf(few),
                more,
              })
            : t('{count} of {all} people have no verified contact method: {names}.', {
                count: missing.length,
                all: active.length,
                names: namesOf(few),
              }),
    link: { to: '/people', search: active.length > 1 && missing.length > 0 ? { show: 'unreachable' } : {} },
    go: active.length < 2 ? t('Invite people') : t('People'),
  };
}

function schedule({ schedules }: Facts): SetUpStep {
  const enabled = schedules.filter((one) => one.enabled);
  const gap = enabled.find((one) => one.gap);
  const done = enabled.length > 0 && !gap;
  return {
    name: t('Create a schedule without gaps'),
    done,
    state:
      enabled.length === 0
        ? t('Without a schedule, a page notifies every member of the team at once.')
        : gap
          ? t('{name} has a time within 14 days at which nobody is on call.', { name: gap.name })
          : t(
              '{count, plural, =1 {1 schedule is covered for the next 14 days.} other {# schedules are covered for the next 14 days.}}',
              { count: enabled.length },
            ),
    link: gap
      ? { to: '/schedules/$id', params: { id: gap.id } }
      : { to: enabled.length === 0 ? '/schedules/new' : '/schedules' },
    go: enabled.length === 0 ? t('New schedule') : gap ? t('Open it') : t('Schedules'),
  };
}

function backstop({ schedules }: Facts): SetUpStep {
  const enabled = schedules.filter((one) => one.enabled);
  const without = enabled.find((one) => one.backstop === null);
  return {
    name: t('Choose a backstop'),
    done: enabled.length > 0 && !without,
    state: without
      ? t('{name} has none: if no stage answers, nobody else is notified.', { name: without.name })
      : enabled.length === 0
        ? t('Each schedule names who is notified when no stage answers.')
        : t('Every schedule has one.'),
    link: without
      ? { to: '/schedules/$id/edit', params: { id: without.id } }
      : { to: enabled.length === 0 ? '/schedules/new' : '/schedules' },
    go: without ? t('Choose a backstop') : t('Schedules'),
  };
}

function received({ ways, teams }: Facts): SetUpStep {
  const used = ways.find(({ last_used_at }) => last_used_at !== null);
  const [way] = ways;
  const slug = way?.team.slug ?? teams[0]?.slug;
  return {
    name: t('Connect a monitoring system'),
    done: used !== undefined,
    state: used
      ? t('{name} has been called.', { name: used.name })
      : way
        ? t('{name} was never called. Its view has a command that tries it.', { name: way.name })
        : t('No tool reports here yet.'),
    link:
      slug === undefined
        ? { to: '/teams' }
        : { to: '/teams/$slug', params: { slug }, search: way ? {} : { create: 'source' } },
    go: way ? t('Open the team') : t('Add a page source'),
  };
}

function drill({ pages, teams }: Facts): SetUpStep {
  const answered = pages.some(({ acknowledged_at }) => acknowledged_at !== null);
  return {
    name: t('Send a drill, and acknowledge it'),
    done: answered,
    state: answered
      ? t('A page was acknowledged.')
      : pages.some((page) => page.drill)
        ? t('A drill was sent, but nobody has acknowledged it yet.')
        : t('No page was acknowledged yet. Try it with your phone on the nightstand.'),
    link: { to: '/pages', search: { show: 'all' } },
    go: t('Pages'),
    drill: !answered && teams.length > 0,
  };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
