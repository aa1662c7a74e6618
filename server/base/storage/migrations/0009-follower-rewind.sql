alter table follower_cursor
  -- The newest block that the nodes have told of.
  add column head bigint,
  -- An operator wants all from this block on to be given once more.
  add column rewind_to bigint;

-- What a contract has said of itself, once.
create table contract_type (
  chain_id bigint not null,
  address bytea not null check (octet_length(address) = 20),
  type text not null check (type in ('ERC20', 'ERC721', 'ERC1155', 'ERC6909')),
  primary key (chain_id, address)
);
