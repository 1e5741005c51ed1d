import classes from './source-link.module.css';

/** A link to the source that the sender named. It opens in a new tab. */
export function SourceLink({ url }: { url: string }) {
  return (
    <a className={`mono faint ${classes.source}`} href={url} target="_blank" rel="noopener noreferrer">
      {url.replace(/^https?:\/\//, '')} ↗
    </a>
  );
}
