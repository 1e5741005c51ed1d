import { Link } from '@tanstack/react-router';
import { t } from '../language/t.ts';
import classes from './availability.module.css';

/** The tabs of the availability views. */
export function AvailabilityTabs() {
  return (
    <nav className={classes.tabs} aria-label={t('Availability')}>
      <Link to="/availability" activeOptions={{ exact: true, includeSearch: false }}>
        {t('Mine')}
      </Link>
      <Link to="/availability/team" activeOptions={{ includeSearch: false }}>
        {t('Team')}
      </Link>
      <Link to="/availability/upload">{t('Upload')}</Link>
      <Link to="/availability/calendars">{t('Calendars')}</Link>
    </nav>
  );
}
