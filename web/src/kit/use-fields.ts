import { useState } from 'react';
import { useUnsaved } from './use-unsaved.ts';

/** The fields of a form over values that others may change meanwhile. */
export type Fields<Values extends object> = {
  /** What the form shows: what the person entered, and the saved values of all other fields. */
  values: Values;
  /** Values that are shown already count as not entered. */
  set: (entered: Partial<Values>) => void;
  /** The fields that saving would change. Only these are sent, so that a save undoes no change of somebody else. */
  changes: Partial<Values>;
  /** Somebody else changed a field that the person is changing. */
  replaces: boolean;
  /** These values were saved; what was entered meanwhile stays. */
  saved: (sent: Values) => void;
  /** Forgets what was entered. */
  undo: () => void;
};

type Entered<Values> = { values: Partial<Values>; before: Partial<Values> };

/** Fields that follow the `stored` values until the person enters something in them. */
export function useFields<Values extends object>(stored: Values): Fields<Values> {
  const [entered, setEntered] = useState<Entered<Values>>({ values: {}, before: {} });
  const changes = picked(entered.values, (name, value) => !isSame(value, stored[name]));
  useUnsaved(Object.keys(changes).length > 0);
  return {
    values: { ...stored, ...entered.values },
    set: (next) =>
      setEntered(({ values, before }) => {
        const shown = { ...stored, ...values };
        const entered = picked(next, (name, value) => !isSame(value, shown[name]));
        return {
          values: { ...values, ...entered },
          before: { ...picked(stored, (name) => name in entered), ...before },
        };
      }),
    changes,
    replaces:
      Object.keys(picked(entered.before, (name, was) => name in changes && !isSame(was, stored[name])))
        .length > 0,
    saved: (sent) =>
      setEntered(({ values }) => {
        const later = picked(values, (name, value) => !isSame(value, sent[name]));
        return { values: later, before: picked(sent, (name) => name in later) };
      }),
    undo: () => setEntered({ values: {}, before: {} }),
  };
}

function picked<Values extends object>(
  from: Partial<Values>,
  isWanted: (name: keyof Values, value: Values[keyof Values]) => boolean,
): Partial<Values> {
  const all = Object.entries(from) as [keyof Values, Values[keyof Values]][];
  return Object.fromEntries(all.filter(([name, value]) => isWanted(name, value))) as Partial<Values>;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
