import { Menu, type MenuProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLater } from '../kit/later.tsx';
import classes from './shell.module.css';

type ShellMenu = { label: ReactNode; children: ReactNode } & Pick<MenuProps, 'position' | 'width'>;

/** A place of the navigation that opens a menu. Until the view is drawn, it is a button alone, which needs less work. */
export function ShellMenu({ label, children, ...menu }: ShellMenu) {
  const later = useLater();
  const [pressed, setPressed] = useState(false);
  if (!later && !pressed)
    return (
      <button type="button" className={classes.link} aria-haspopup="menu" onClick={() => setPressed(true)}>
        {label}
      </button>
    );
  return (
    <Menu {...menu} defaultOpened={pressed}>
      <Menu.Target>
        <button type="button" className={classes.link}>
          {label}
        </button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
