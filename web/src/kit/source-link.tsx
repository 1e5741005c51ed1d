import classes from './source-link.module.css';

/** Where what is shown came from, as its sender says: another site, in a place of its own. */
export function SourceLink({ url }: { url: string }) {
  return (
    <a className={`mono faint ${classes.source}`} href={url} target="_blank" rel="noopener noreferrer">
      {url.replace(/^https?:\/\//, '')} ↗
    </a>
  );
}
