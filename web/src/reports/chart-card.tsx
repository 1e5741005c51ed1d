import type { ReactNode } from 'react';
import { t } from '../language/t.ts';
import classes from './reports.module.css';

export type ChartTable = { head: readonly string[]; rows: readonly (readonly ReactNode[])[] };

/** A chart, and the same figures as a table for those who prefer one. */
export function ChartCard({
  title,
  table,
  children,
}: {
  title: string;
  table: ChartTable;
  children: ReactNode;
}) {
  return (
    <section className={`stack ${classes.section}`} aria-label={title}>
      <h2>{title}</h2>
      <div className="card pad stack">
        {/* Hidden from screen readers, because the table below has the same figures. */}
        <div aria-hidden="true">{children}</div>
        <details className={classes.details}>
          <summary>{t('As a table')}</summary>
          <div className={classes.scroll}>
            <table className={classes.table}>
              <caption className="visually-hidden">{title}</caption>
              <thead>
                <tr>
                  {table.head.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map(([first, ...others]) => (
                  <tr key={String(first)}>
                    <th scope="row">{first}</th>
                    {others.map((cell, index) => (
                      <td key={table.head[index + 1]}>{cell}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </div>
    </section>
  );
}
