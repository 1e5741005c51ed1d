import { ActionIcon, Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { EVENT_TOPICS } from '../../../../src/notices/contract.ts';
import {
  CHANNEL,
  type ChannelName,
  channelsOf,
  methodOf,
} from '../../../../src/notifications/channels/contract.ts';
import type { MethodShown } from '../../../../src/people/contact-contract.ts';
import { DotsIcon, GripIcon } from '../../kit/icons.tsx';
import { Pill } from '../../kit/pill.tsx';
import { showFailure, showToast } from '../../kit/toast.ts';
import { useNow } from '../../kit/use-now.ts';
import { t } from '../../language/t.ts';
import { MethodFacts } from './method-facts.tsx';
import classes from './methods.module.css';
import { sendTest, useMethods } from './use-methods.ts';

export type LineActions = {
  verify: () => void;
  remove: () => void;
  renew: () => void;
  step: (by: -1 | 1) => void;
};

/** One contact method: its handle, its state, and its actions. */
export function MethodLine({ method, actions }: { method: MethodShown; actions: LineActions }) {
  const now = useNow(60_000);
  const { type, value, verified } = method;
  const name = `${methodOf(type).name} ${value}`;
  return (
    <>
      <button
        type="button"
        className={classes.handle}
        aria-label={t('Move {name}: arrow keys, or drag', { name })}
        onKeyDown={(event) => {
          const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null;
          if (by === null) return;
          event.preventDefault();
          actions.step(by);
        }}
      >
        <GripIcon />
      </button>
      <div className="grow">
        <div className="row wrap" style={{ gap: '2px 10px' }}>
          <b>{methodOf(type).name}</b>
          <span className="mono" style={{ overflowWrap: 'anywhere' }}>
            {value}
          </span>
          {!verified && <Pill tone="watch">{t('not verified')}</Pill>}
          {verified && method.obstacle && <Pill tone="alarm">{t('cannot be used')}</Pill>}
        </div>
        <MethodFacts method={method} now={now} />
      </div>
      {!verified && (
        <Button variant="default" onClick={actions.verify} aria-label={t('Verify {name}', { name })}>
          {t('Verify')}
        </Button>
      )}
      <LineMenu method={method} name={name} actions={actions} />
    </>
  );
}

function LineMenu({ method, name, actions }: { method: MethodShown; name: string; actions: LineActions }) {
  const { change } = useMethods();
  const { id, type, verified, notices, events } = method;
  const test = useMutation({
    mutationFn: (by: ChannelName) => sendTest(id, by),
    onSuccess: ({ sent, error }) =>
      sent
        ? showToast(t('A test message is on its way to {name}.', { name }))
        : showFailure(
            new Error(
              error
                ? t('{name}: {error}', { name, error })
                : t('{name}: the provider did not accept it.', { name }),
            ),
          ),
    onError: showFailure,
  });
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          loading={test.isPending}
          aria-label={t('More about {name}', { name })}
        >
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {verified &&
          channelsOf(type).map((channel) => (
            <Menu.Item key={channel} onClick={() => test.mutate(channel)}>
              {CHANNEL[channel].words.test}
            </Menu.Item>
          ))}
        {methodOf(type).notices !== 'never' && (
          <Menu.Item onClick={() => change.mutate({ id, notices: !notices })}>
            {notices ? t('Send only pages here') : t('Send notices here too')}
          </Menu.Item>
        )}
        {methodOf(type).signed &&
          EVENT_TOPICS.map((topic) => (
            <Menu.Item
              key={topic}
              onClick={() =>
                change.mutate({
                  id,
                  events: EVENT_TOPICS.filter((one) => (one === topic) !== events.includes(one)),
                })
              }
            >
              {events.includes(topic)
                ? t('Send no events of {topic}', { topic })
                : t('Send events of {topic} too', { topic })}
            </Menu.Item>
          ))}
        {methodOf(type).signed && <Menu.Item onClick={actions.renew}>{t('New signing secret')}</Menu.Item>}
        <Menu.Divider />
        <Menu.Item onClick={() => actions.step(-1)}>{t('Move up')}</Menu.Item>
        <Menu.Item onClick={() => actions.step(1)}>{t('Move down')}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={actions.remove}>
          {t('Remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
