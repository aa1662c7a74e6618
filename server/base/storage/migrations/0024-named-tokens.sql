-- Whether only orders have named the token so far. The first block that reports the token has created it.
alter table token_read add column is_named boolean not null default false;

-- Tokens that orders have named since their collections are followed.
insert into token_read (collectible_id, due_at, is_named)
select collectible.id, now(), true from followed_collection join collectible using (collection_id)
where is_followed and origin is null and not is_undone
on conflict do nothing;

-- Open orders by the token that they name.
create index open_order_of_collectible on market_order (collectible_id)
  where collectible_id is not null and status in ('active', 'inactive', 'decimals_missing') and deleted_at is null;
