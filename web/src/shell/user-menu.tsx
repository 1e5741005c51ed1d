import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Session } from '../../../src/sessions/api-contract.ts';
import { Avatar } from '../people/avatar.tsx';
import { SignOutItem } from '../sign-in/sign-out.tsx';
import { OWN_PLACES } from './navigation.ts';
import { ShellMenu } from './shell-menu.tsx';

/** Views of the viewer, and signing out. */
export function UserMenu({ user }: { user: Session['user'] }) {
  return (
    <ShellMenu
      position="top-start"
      width={190}
      label={
        <>
          <Avatar person={user} /> {user.name}
        </>
      }
    >
      {OWN_PLACES.map(({ to, label, Icon }) => (
        <Menu.Item key={to} component={Link} to={to} leftSection={<Icon />}>
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <SignOutItem />
    </ShellMenu>
  );
}
