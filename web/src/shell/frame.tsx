import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Bell, MoreIcon } from '../kit/icons.tsx';
import { t } from '../language/t.ts';
import { PLACES } from './navigation.ts';
import classes from './shell.module.css';

/** As many rows as fit on a phone. */
const ROWS = ['1', '2', '3', '4', '5'];

export function frameMarkup(): string {
  return renderToStaticMarkup(<Frame />);
}

/**
 * What the document shows until the scripts have drawn the first view: the shell, with shapes in place of its texts, whose
 * language the build does not know. `frame.ts` writes it into the document. It must be as large as the shell, so that
 * nothing moves; a story compares them.
 */
function Frame() {
  return (
    <div className={classes.shell} data-frame inert aria-hidden>
      <div className={classes.side}>
        <span className={classes.brand}>
          <Bell />
          <span className={classes.names}>Tocsin</span>
        </span>
        {PLACES.map(({ to, label, Icon }) => (
          <Shape key={to} label={label}>
            <Icon />
          </Shape>
        ))}
      </div>
      <div className={classes.main}>
        <div className="view">
          <h1>
            <span className={classes.pale}>{t('Now')}</span>
          </h1>
          <div className="stack">
            {ROWS.map((row) => (
              <div key={row} className={classes.rowToCome} />
            ))}
          </div>
        </div>
      </div>
      <div className={classes.bar}>
        {PLACES.filter(({ bar }) => bar).map(({ to, label, Icon }) => (
          <Shape key={to} label={label}>
            <Icon />
          </Shape>
        ))}
        <Shape label={t('More')}>
          <MoreIcon />
        </Shape>
      </div>
    </div>
  );
}

function Shape({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className={classes.link}>
      {children}
      <span className={classes.pale}>{label}</span>
    </span>
  );
}
