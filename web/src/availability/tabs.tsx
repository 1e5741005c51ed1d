import { Link } from '@tanstack/react-router';
import classes from './availability.module.css';

/** The tabs of the availability views. */
export function AvailabilityTabs() {
  return (
    <nav className={classes.tabs} aria-label="Availability">
      <Link to="/availability" activeOptions={{ exact: true, includeSearch: false }}>
        Mine
      </Link>
      <Link to="/availability/team" activeOptions={{ includeSearch: false }}>
        Team
      </Link>
      <Link to="/availability/upload">Upload</Link>
      <Link to="/availability/calendars">Calendars</Link>
    </nav>
  );
}
