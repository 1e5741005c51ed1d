import { Button, Modal, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebhookDetail } from '../../../src/webhooks/api-contract.ts';
import { call } from '../api/call.ts';
import { endingOf } from '../api/ending.ts';
import { serviceNow } from '../kit/clock.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { showFailure, showToast } from '../kit/toast.ts';

/** Rotates the URL of a webhook, or revokes the webhook. */
export function WebhookMenu({ webhook }: { webhook: WebhookDetail }) {
  const [asking, setAsking] = useState<'rotate' | 'revoke' | null>(null);
  const close = () => setAsking(null);
  return (
    <div className="row">
      <Button variant="default" onClick={() => setAsking('rotate')}>
        New URL
      </Button>
      <Button variant="default" onClick={() => setAsking('revoke')}>
        Revoke
      </Button>
      {asking === 'rotate' && <Rotate webhook={webhook} close={close} />}
      {asking === 'revoke' && <Revoke webhook={webhook} close={close} />}
    </div>
  );
}

const OVERLAPS = [
  { value: '0', label: 'At once' },
  { value: '1', label: 'In an hour' },
  { value: '24', label: 'In a day' },
  { value: '168', label: 'In a week' },
  { value: '720', label: 'In 30 days' },
];

function Rotate({ webhook, close }: { webhook: WebhookDetail; close: () => void }) {
  const [hours, setHours] = useState('168');
  const client = useQueryClient();
  const rotate = useMutation({
    mutationFn: () => {
      const until = new Date(serviceNow().getTime() + Number(hours) * 3_600_000).toISOString();
      return call<WebhookDetail>('POST', `/api/webhooks/${encodeURIComponent(webhook.id)}/rotate`, {
        old_until: hours === '0' ? null : until,
      });
    },
    onSuccess: (changed) => {
      client.setQueryData(['webhooks', 'one', webhook.id], changed);
      showToast('It has a new URL: give it to the tool.');
      close();
    },
    onError: showFailure,
  });
  return (
    <Modal opened onClose={close} title={`A new URL for ${webhook.name}`}>
      <div className="stack" style={{ gap: 16 }}>
        <p className="muted">
          When the old one was seen by the wrong people, end it at once; else give the tool time to move.
        </p>
        <Select
          label="The old URL ends"
          data={OVERLAPS}
          value={hours}
          onChange={(value) => value && setHours(value)}
          allowDeselect={false}
          openOnFocus={false}
          data-autofocus
        />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
            Make a new URL
          </Button>
        </div>
      </div>
    </Modal>
  );
}

function Revoke({ webhook, close }: { webhook: WebhookDetail; close: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const revoke = useMutation({
    mutationKey: endingOf(webhook.id),
    mutationFn: () => call('DELETE', `/api/webhooks/${encodeURIComponent(webhook.id)}`),
    onSuccess: async () => {
      showToast(`${webhook.name} is revoked: whatever calls it is refused.`);
      await navigate({ to: '/teams/$slug', params: { slug: webhook.team.slug } });
      void client.invalidateQueries({ queryKey: ['webhooks', 'list'] });
      void client.invalidateQueries({ queryKey: ['teams'] });
    },
    onError: showFailure,
  });
  return (
    <ConfirmDialog
      title={`Revoke ${webhook.name}?`}
      keep="Keep it"
      go="Revoke"
      busy={revoke.isPending}
      close={close}
      act={() => revoke.mutate()}
    >
      Whatever calls its URL is refused within a second. It cannot be brought back; what it received stays.
    </ConfirmDialog>
  );
}
