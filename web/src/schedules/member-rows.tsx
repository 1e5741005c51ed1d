import { ActionIcon, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import form from './form.module.css';

type Rows<Row> = {
  rows: readonly Row[];
  onChange: (rows: Row[]) => void;
  layout: 'line' | 'pair' | 'shadow' | 'group' | 'never' | 'dates';
  /** The accessible name of the button that removes a row. */
  removeLabel: (index: number) => string;
  /** The fields of a row. */
  children: (row: Row, change: (row: Row) => void, index: number) => ReactNode;
};

/** Rows of the schedule form that say something about members. Each can be removed. */
export function MemberRows<Row>({ rows, onChange, layout, removeLabel, children }: Rows<Row>) {
  return rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
    <div key={index} className={form[layout]}>
      {children(row, (changed) => onChange(rows.with(index, changed)), index)}
      <ActionIcon
        variant="default"
        size={34}
        aria-label={removeLabel(index)}
        onClick={() => onChange(rows.toSpliced(index, 1))}
      >
        ✕
      </ActionIcon>
    </div>
  ));
}

/** Chooses one person. */
export function PersonSelect({
  label,
  people,
  value,
  onChange,
}: {
  label: string;
  people: readonly { id: string; name: string }[];
  value: string;
  onChange: (person: string) => void;
}) {
  return (
    <Select
      label={label}
      data={optionsOf(people)}
      value={value}
      onChange={(person) => person && onChange(person)}
      allowDeselect={false}
      searchable
    />
  );
}

/** People as options of a select. */
export function optionsOf(people: readonly { id: string; name: string }[]) {
  return people.map(({ id, name }) => ({ value: id, label: name }));
}

/** What the service says is wrong with a list of the form. */
export function ListProblem({ problems, list }: { problems: ReadonlyMap<string, string>; list: string }) {
  const problem = problems.get(list);
  if (problem === undefined) return null;
  return (
    <p role="alert" className="ink-alarm">
      {problem}
    </p>
  );
}
