import { Button, CloseButton, Modal, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MomentDetail, MomentSummary } from '../../../src/moments/api-contract.ts';
import { pagesApi } from '../../../src/pages/api-contract.ts';
import { send } from '../api/call.ts';
import { nothingFound } from '../kit/nothing-found.ts';
import { shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import { stateName } from '../pages/words.ts';
import { useMomentAct } from './use-moment-act.ts';

/** Pages that people linked to this moment. */
export function LinkedPages({ detail }: { detail: MomentDetail }) {
  const { moment, pages } = detail;
  const [choosing, setChoosing] = useState(false);
  const act = useMomentAct(moment.id);
  if (pages.length === 0 && !moment.may_act) return null;
  return (
    <section className="stack" aria-label={t('Pages about this')}>
      <h2>{t('Pages about this')}</h2>
      <div className="card lines">
        {pages.map((page) => (
          <div className="line opens" key={page.id}>
            <span className="grow">
              <Link className="link" data-row to="/pages/$id" params={{ id: page.id }}>
                {page.title}
              </Link>
              <br />
              <span className="muted">{stateName(page.state)}</span>
            </span>
            {moment.may_act && (
              <CloseButton
                aria-label={t('Unlink {title}', { title: page.title })}
                onClick={() => act.mutate({ name: 'unlink', page: page.id })}
              />
            )}
          </div>
        ))}
        {moment.may_act && (
          <div className="line">
            <Button variant="default" onClick={() => setChoosing(true)}>
              {t('Link a page')}
            </Button>
          </div>
        )}
      </div>
      {choosing && <ChoosePage moment={moment} close={() => setChoosing(false)} />}
    </section>
  );
}

const NEWEST = 100;

function ChoosePage({ moment, close }: { moment: MomentSummary; close: () => void }) {
  const now = useNow(60_000);
  const [chosen, setChosen] = useState<string | null>(null);
  const act = useMomentAct(moment.id);
  const { data } = useQuery({
    queryKey: ['pages', 'newest', NEWEST],
    queryFn: () => send(pagesApi.list, { query: { state: 'all', limit: NEWEST } }),
  });
  const link = () => chosen && act.mutate({ name: 'pages', page: chosen }, { onSuccess: close });
  return (
    <Modal opened onClose={close} title={t('Link a page')}>
      <div className="stack" style={{ gap: 16 }}>
        <Select
          label={t('Page')}
          description={t('Choose one of the 100 newest calls. This notifies nobody.')}
          placeholder={t('Words in its title')}
          data={(data?.pages ?? []).map(({ id, title, created_at }) => ({
            value: id,
            label: `${title} · ${shortTime(created_at, now)}`,
          }))}
          value={chosen}
          onChange={setChosen}
          searchable
          nothingFoundMessage={nothingFound(data, t('No page contains these words'))}
          openOnFocus={false}
          data-autofocus
        />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button disabled={!chosen} loading={act.isPending} onClick={link}>
            {t('Link it')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
