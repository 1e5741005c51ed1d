import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { InboxCount } from '../inbox/inbox-count.tsx';
import { MoreIcon, SearchIcon } from '../kit/icons.tsx';
import { t } from '../language/t.ts';
import { find } from '../search/find-button.tsx';
import { SignOutItem } from '../sign-in/sign-out.tsx';
import { OWN_PLACES, PLACES, type Place } from './navigation.ts';
import classes from './shell.module.css';
import { ShellMenu } from './shell-menu.tsx';

/** On a phone: the places that do not fit into the bar. */
export function MorePlaces() {
  return (
    <ShellMenu
      position="top-end"
      width={220}
      label={
        <>
          <MoreIcon />
          {t('More')}
          <InboxCount className={classes.count} />
        </>
      }
    >
      <Menu.Item leftSection={<SearchIcon />} onClick={find}>
        {t('Search')}
      </Menu.Item>
      <Items places={PLACES.filter(({ bar }) => !bar)} />
      <Menu.Divider />
      <Items places={OWN_PLACES} />
      <SignOutItem />
    </ShellMenu>
  );
}

function Items({ places }: { places: readonly Place[] }) {
  return places.map(({ to, label, Icon }) => (
    <Menu.Item key={to} component={Link} to={to} leftSection={<Icon />}>
      {label} {to === '/inbox' && <InboxCount />}
    </Menu.Item>
  ));
}
