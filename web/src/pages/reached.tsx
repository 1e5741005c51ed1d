import { Button } from '@mantine/core';
import type { PageDetail } from '../../../src/pages/api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { countdown } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { commas, t } from '../language/t.ts';
import { Avatar } from '../people/avatar.tsx';
import { stageWords } from './words.ts';

/** Who was notified in this round, and who is next. */
export function Reached({ detail }: { detail: PageDetail }) {
  const { page, upcoming } = detail;
  const now = useNow(1_000);
  const later = upcoming.flatMap((entry) =>
    entry.kind === 'notify' && entry.round === page.round
      ? entry.people.map((person) => ({ person, entry }))
      : [],
  );
  if (page.notified.length + later.length === 0) return null;
  return (
    <section className="stack" aria-label={t('Responders')}>
      <h2>{t('Responders')}</h2>
      <div className="card pad stack" style={{ gap: 10 }}>
        {page.notified.map(({ person, as, stage, awaited }) => (
          <div className="row" key={`${person.id} ${as} ${stage}`}>
            <Avatar person={person} />
            <span className="grow">{person.name}</span>
            <Pill tone={page.state === 'notifying' || awaited ? 'alarm' : 'none'}>
              {stageWords({ as, stage })}
            </Pill>
          </div>
        ))}
        {later.map(({ person, entry }) => (
          <div className="row" key={`${person.id} ${entry.as} ${entry.stage}`}>
            <Avatar person={person} />
            <span className="grow">{person.name}</span>
            <span className="faint">
              {entry.as === 'backstop'
                ? t('backstop {time}', { time: countdown(Date.parse(entry.at) - now.getTime()) })
                : countdown(Date.parse(entry.at) - now.getTime())}
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

/** The numbers of the proof, and a button that downloads all of it. */
export function Proof({ detail }: { detail: PageDetail }) {
  const { attempts, receipts, repeats } = detail.proof;
  return (
    <section className="stack" aria-label={t('Proof')}>
      <h2>{t('Proof')}</h2>
      <div className="card pad stack tight">
        <span className="muted">
          {commas([
            t('{count, plural, one {{count} attempt} other {{count} attempts}}', { count: attempts }),
            t('{count, plural, one {{count} receipt} other {{count} receipts}}', { count: receipts }),
            t('{count, plural, one {{count} repeat} other {{count} repeats}}', { count: repeats }),
          ])}
        </span>
        <div>
          <Button variant="transparent" px={0} h={24} onClick={() => download(detail)}>
            {t('Download as JSON')}
          </Button>
        </div>
      </div>
    </section>
  );
}

function download(detail: PageDetail): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(detail, null, 2)], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: `${detail.page.id}.json` });
  link.click();
  URL.revokeObjectURL(url);
}
