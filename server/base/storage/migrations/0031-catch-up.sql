-- What is left of a catch-up, for the operator: requests and time, in words. Null while the follower is at the head.
alter table follower_cursor add column catch_up text;
