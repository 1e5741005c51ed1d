import { SegmentedControl, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { PersonSummary } from '../../../src/people/person-contract.ts';
import { Empty, Unread } from '../kit/states.tsx';
import { zoneName } from '../kit/time.ts';
import { useSearchText } from '../kit/use-search-text.ts';
import { ListHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import { InviteButton, OpenInvitations } from './invitations.tsx';
import { NotSetUp } from './not-set-up.tsx';
import classes from './people.module.css';
import type { Shown } from './people-search.ts';
import { PersonLine } from './person-line.tsx';
import { overviewQuery } from './queries.ts';

const SHOWS: Record<Shown, (person: PersonSummary) => boolean> = {
  all: ({ disabled }) => !disabled,
  'on-call': ({ on_call: onCall, disabled }) => onCall.length > 0 && !disabled,
  unreachable: ({ reachable, disabled }) => !reachable && !disabled,
  disabled: ({ disabled }) => disabled,
};

const EMPTY: Record<Shown, string> = {
  all: t('Nobody with that name.'),
  'on-call': t('Nobody is on call now.'),
  unreachable: t('A page would reach everybody.'),
  disabled: t('Nobody is disabled.'),
};

/** All people: who they are, whether they are on call, and whether a page would reach them. */
export function PeopleView() {
  const { data, error, refetch } = useQuery(overviewQuery);
  const { show = 'all', find = '' } = useSearch({ from: '/people' });
  const navigate = useNavigate({ from: '/people' });
  const [text, type] = useSearchText(
    find,
    (next) =>
      void navigate({
        search: (before) => ({ ...without(before, 'find'), ...(next ? { find: next } : {}) }),
        replace: true,
      }),
  );
  const people = (data?.people ?? []).filter((person) => SHOWS[show](person) && matches(person, find));
  return (
    <div className="view" style={{ maxWidth: 960 }}>
      <ListHead
        name={t('People')}
        about={`${data ? `${summary(data.people)} · ` : ''}${t('times in {zone}', { zone: zoneName() })}`}
      >
        <InviteButton />
      </ListHead>
      <OpenInvitations />
      {data && <NotSetUp {...data} />}
      <div className="row wrap">
        <TextInput
          className="grow"
          style={{ minWidth: 200 }}
          aria-label={t('Find people')}
          placeholder={t('Name, email, handle or team')}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label={t('Who is shown')}
          value={show}
          onChange={(next) =>
            void navigate({
              search: (before) => ({
                ...without(before, 'show'),
                ...(next === 'all' ? {} : { show: next as Exclude<Shown, 'all'> }),
              }),
            })
          }
          data={[
            { value: 'all', label: t('All') },
            { value: 'on-call', label: t('On call') },
            { value: 'unreachable', label: t('Not reachable') },
            { value: 'disabled', label: t('Disabled') },
          ]}
        />
      </div>
      {!data && <Unread error={error} again={refetch} rows={4} />}
      {data && people.length === 0 && <Empty>{find && show !== 'all' ? EMPTY.all : EMPTY[show]}</Empty>}
      {people.length > 0 && (
        <ul className={`card lines ${classes.list}`}>
          {people.map((person) => (
            <PersonLine key={person.id} person={person} />
          ))}
        </ul>
      )}
    </div>
  );
}

function without<Key extends string, Search extends { [key in Key]?: unknown }>(
  search: Search,
  key: Key,
): Omit<Search, Key> {
  const { [key]: _, ...others } = search;
  return others;
}

function summary(people: readonly PersonSummary[]): string {
  const there = people.filter(({ disabled }) => !disabled);
  const missing = there.filter(({ reachable }) => !reachable).length;
  const count = there.length;
  return missing === 0
    ? t('{count, plural, =1 {1 person, all reachable} other {# people, all reachable}}', { count })
    : t('{count, plural, =1 {1 person} other {# people}}, {missing} not reachable', { count, missing });
}

function matches({ name, email, username, teams }: PersonSummary, find: string): boolean {
  const text = [name, email, username, ...teams.flatMap((team) => [team.name, team.slug])]
    .join(' ')
    .toLowerCase();
  return find
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
