import type { ReactNode } from 'react';
import { Bell } from '../kit/icons.tsx';
import { t } from '../language/t.ts';
import classes from './outside.module.css';

/** The frame of views for people who are not signed in. */
export function Outside({
  title,
  lead,
  wide = false,
  children,
}: {
  title: string;
  lead?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <main className={classes.page}>
      <div className={`${classes.card} ${wide ? classes.wide : ''}`}>
        <div className={classes.brand}>
          <Bell />
          Tocsin
        </div>
        <div className={classes.head}>
          <h1>{title}</h1>
          {lead && <p className="muted">{lead}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}

export function Or() {
  return <div className={classes.or}>{t('or')}</div>;
}

/** An error message of the service; screen readers read it out when it appears. */
export function Refused({ message }: { message: string | null | undefined }) {
  return (
    <div role="alert" className={message ? classes.refused : 'visually-hidden'}>
      {message}
    </div>
  );
}
