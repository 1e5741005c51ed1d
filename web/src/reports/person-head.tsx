import { Link } from '@tanstack/react-router';
import type { Person } from '../../../src/people/contract.ts';
import { Avatar } from '../people/avatar.tsx';
import classes from './reports.module.css';

/** The row header of a person in a table. */
export function PersonHead({ person }: { person: Person }) {
  return (
    <th scope="row">
      <span className="row" style={{ gap: 8 }}>
        <Avatar person={person} size={20} />
        <Link to="/people/$id" params={{ id: person.id }} className={classes.name}>
          {person.name}
        </Link>
      </span>
    </th>
  );
}
