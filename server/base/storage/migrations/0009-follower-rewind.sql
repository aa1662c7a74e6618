alter table follower_cursor
  -- The newest block that the nodes have reported.
  add column head bigint,
  -- An operator has requested all blocks from this one on again.
  add column rewind_to bigint;

-- What a contract has reported about itself, once.
create table contract_type (
  chain_id bigint not null,
  address bytea not null check (octet_length(address) = 20),
  type text not null check (type in ('ERC20', 'ERC721', 'ERC1155', 'ERC6909')),
  primary key (chain_id, address)
);
