-- Paused listeners are counted at each scrape of the metrics. Without an index, that reads all listeners.
create index webhook_listener_paused on webhook_listener (id) where pause_reason in ('failing', 'gone');
