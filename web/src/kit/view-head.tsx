import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './detail.module.css';

/**
 * The head of the view of a single thing. `crumb`: the link to where it belongs. `states`: what is beside its
 * name. `about`: a line below. `children`: what can be done with it.
 */
export function ViewHead({
  crumb,
  name,
  states,
  about,
  children,
}: {
  crumb: ReactNode;
  name: string;
  states?: ReactNode;
  about?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className={classes.header}>
      <div className="stack grow" style={{ gap: 6 }}>
        <div className="row wrap" style={{ columnGap: 12, rowGap: 6 }}>
          {crumb}
          <h1>{name}</h1>
          {states && (
            <span className="row wrap" style={{ gap: 8 }}>
              {states}
            </span>
          )}
        </div>
        {about && <span className="muted">{about}</span>}
      </div>
      {children}
    </header>
  );
}

/** The head of a view of many things: its name, a quiet sentence about it, and what can be done (`children`). */
export function ListHead({
  name,
  about,
  children,
}: {
  name: string;
  about?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={classes.list}>
      <div className={classes.names}>
        <h1>{name}</h1>
        {about && <span className="muted">{about}</span>}
      </div>
      {children && <div className={`row wrap ${classes.doing}`}>{children}</div>}
    </div>
  );
}

/** Leads to the team that something belongs to. */
export function TeamCrumb({ team }: { team: { slug: string; name: string } }) {
  return (
    <Link to="/teams/$slug" params={{ slug: team.slug }} className="crumb">
      {team.name} /
    </Link>
  );
}
