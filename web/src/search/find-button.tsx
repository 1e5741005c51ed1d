import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { SearchIcon } from '../kit/icons.tsx';
import { t } from '../language/t.ts';
import classes from '../shell/shell.module.css';

const Finder = lazy(() => import('./finder.tsx').then((module) => ({ default: module.Finder })));

const KEY = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘ K' : t('Ctrl K');

/** Opens the finder. The menu of a phone, which hides the button, is rendered after it. */
export let find: () => void;

/** A button for the finder, whose code is loaded on first use. */
export function FindButton() {
  const [asked, setAsked] = useState(0);
  find = () => setAsked((times) => times + 1);
  useHotkeys([['mod+k', find]], []);
  return (
    <>
      <button type="button" className={classes.link} onClick={find}>
        <SearchIcon />
        {t('Search')}
        <span className="kbd count" style={{ marginLeft: 'auto' }}>
          {KEY}
        </span>
      </button>
      <Suspense>{asked > 0 && <Finder asked={asked} />}</Suspense>
    </>
  );
}
