import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SourceDetail } from '../../../src/sources/api-contract.ts';
import { t } from '../language/t.ts';
import { foundPagesQuery } from '../pages/found-query.ts';
import { PageRow } from '../pages/page-row.tsx';

const SHOWN = 10;

/** The open pages of a source, the newest first. */
export function SourcePages({ source: { id } }: { source: SourceDetail }) {
  const { data } = useInfiniteQuery(foundPagesQuery({ source: id }));
  const pages = data?.pages[0]?.pages ?? [];
  return (
    <section className="stack" aria-label={t('Open pages')}>
      <div className="row wrap">
        <h2 className="grow">{t('Open pages')}</h2>
        <Link className="link" to="/pages" search={{ show: 'all', source: id }}>
          {t('All its pages')}
        </Link>
      </div>
      {data && pages.length === 0 && <p className="muted">{t('None.')}</p>}
      {pages.length > 0 && (
        <div className="card lines">
          {pages.slice(0, SHOWN).map((page) => (
            <PageRow key={page.id} page={page} line />
          ))}
        </div>
      )}
    </section>
  );
}
