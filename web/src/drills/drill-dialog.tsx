import { Select } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { composeApi } from '../../../src/pages/compose-api-contract.ts';
import { sendOnce } from '../api/call.ts';
import { sessionQuery } from '../api/queries.ts';
import { PreviewView } from '../compose/preview-view.tsx';
import { previewQuery } from '../compose/queries.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { t } from '../language/t.ts';
import { teamsQuery } from '../teams/queries.ts';

const CONTENT = {
  title: t('Can you hear this?'),
  text: t('Your team is testing whether pages reach the people on call. Reports leave this page out.'),
  urgency: 'high',
  drill: true,
} as const;

/** Shows whom a drill would notify, and sends it to the people on call for a team. */
export function DrillDialog({ team: given, close }: { team: string | null; close: () => void }) {
  const session = useQuery(sessionQuery).data;
  const teams = useQuery(teamsQuery).data?.teams ?? [];
  const own = session?.teams[0]?.slug;
  const [chosen, setChosen] = useState(given);
  const [key] = useState(() => crypto.randomUUID());
  const team = chosen ?? own ?? teams[0]?.slug ?? '';
  const to = { kind: 'team', recipient: team } as const;
  const preview = useQuery(previewQuery({ ...to, urgency: CONTENT.urgency })).data;
  const navigate = useNavigate();
  const page = useMutation({
    mutationFn: () => sendOnce(`${key}-${team}`, composeApi.raise, { body: { ...to, ...CONTENT } }),
    onSuccess: async ({ page_id }) => {
      close();
      await navigate({ to: '/pages/$id', params: { id: page_id } });
    },
  });
  return (
    <FormDialog
      title={t('Send a drill')}
      close={close}
      send={() => page.mutate()}
      go={t('Page them now')}
      ready={team !== '' && preview !== undefined && preview.refused === null}
      busy={page.isPending}
      error={page.error?.message}
    >
      <p className="muted">
        {t(
          'This pages the people who are on call on all of their channels, as at night, and escalates until somebody acknowledges. Every message says that it is a drill.',
        )}
      </p>
      {given === null && (
        <Select
          label={t('Team')}
          data={teams.map(({ slug, name }) => ({ value: slug, label: name }))}
          value={team || null}
          onChange={setChosen}
          allowDeselect={false}
          searchable
        />
      )}
      <section
        className="stack"
        aria-label={t('Preview')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        style={{ maxHeight: '38vh', overflowY: 'auto' }}
      >
        <PreviewView body={{ ...to, urgency: CONTENT.urgency }} />
      </section>
    </FormDialog>
  );
}
