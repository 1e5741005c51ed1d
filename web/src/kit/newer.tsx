import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { forgetNews, type Room, useNews } from '../api/news.ts';

/** There are newer lines than a long list shows: it stays as it is until its reader wants them. */
export function Newer({ room, what }: { room: Room; what: string }) {
  const client = useQueryClient();
  const news = useNews(room);
  if (!news) return null;
  const show = () => {
    forgetNews(room);
    window.scrollTo({ top: 0 });
    void client.resetQueries({ queryKey: [room, 'list'] });
  };
  return (
    <Button variant="default" onClick={show} style={{ position: 'sticky', top: 8, zIndex: 5 }}>
      Show newer {what}
    </Button>
  );
}
