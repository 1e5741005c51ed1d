import { ActionIcon, Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { peopleQuery } from '../api/queries.ts';
import { t } from '../language/t.ts';
import { Avatar } from '../people/avatar.tsx';
import form from './form.module.css';
import { useTeamMembers } from './use-team-members.ts';

/** An ordered list of people: add by name, move up and down, remove. */
export function MembersField({
  label,
  value,
  onChange,
  team,
  error,
}: {
  label: string;
  /** The id of the team of the schedule; null until one is chosen. */
  team: string | null;
  value: readonly string[];
  onChange: (ids: string[]) => void;
  error?: string | undefined;
}) {
  const people = useQuery(peopleQuery).data?.people ?? [];
  const list = useRef<HTMLOListElement>(null);
  const members = useTeamMembers(team);
  const left = members.filter((id) => !value.includes(id));
  const others = people.filter(({ id }) => !value.includes(id));
  function move(index: number, by: 1 | -1): void {
    const [moved] = value.slice(index, index + 1);
    if (moved === undefined) return;
    onChange(value.toSpliced(index, 1).toSpliced(index + by, 0, moved));
    // Keeps the focus on the button of the moved person, for repeated moves by keyboard.
    queueMicrotask(() =>
      list.current?.querySelectorAll<HTMLElement>(`[data-move="${by}"]`)[index + by]?.focus(),
    );
  }
  return (
    <div className="stack" style={{ gap: 8 }}>
      <Select
        label={label}
        placeholder={value.length === 0 ? t('Add the first by name or email') : t('Add a person')}
        data={others.map(({ id, name, email }) => ({ value: id, label: `${name} · ${email}` }))}
        value={null}
        onChange={(id) => id && onChange([...value, id])}
        searchable
        nothingFoundMessage={t('Nobody with that name')}
        error={error}
      />
      {left.length > 0 && (
        <div>
          <Button variant="default" onClick={() => onChange([...value, ...left])}>
            {teamWords(left, members, people)}
          </Button>
        </div>
      )}
      <ol
        ref={list}
        className={form.people}
        aria-label={t('{label}, in the order of their turns', { label })}
      >
        {value.map((id, index) => {
          const person = people.find((one) => one.id === id);
          const name = person?.name ?? t('Somebody who is disabled');
          return (
            <li key={id} className={form.person}>
              <span className="faint tabular">{index + 1}</span>
              {person && <Avatar person={person} size={22} />}
              <span className="grow">{name}</span>
              <ActionIcon
                variant="subtle"
                color="gray"
                data-move="-1"
                aria-label={t('Move {name} up', { name })}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              >
                ↑
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                data-move="1"
                aria-label={t('Move {name} down', { name })}
                disabled={index === value.length - 1}
                onClick={() => move(index, 1)}
              >
                ↓
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('Take {name} out', { name })}
                onClick={() => onChange(value.toSpliced(index, 1))}
              >
                ✕
              </ActionIcon>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function teamWords(
  left: readonly string[],
  members: readonly string[],
  people: readonly { id: string; name: string }[],
): string {
  if (left.length === members.length) return t('Add the whole team');
  const [only] = left;
  if (left.length > 1) return t('Add the other {count} team members', { count: left.length });
  const name = people.find(({ id }) => id === only)?.name;
  return name === undefined ? t('Add the last team member') : t('Add {name}', { name });
}
