-- A node that goes takes the dashboards with it that were open there.
create index open_dashboards_node on open_dashboards (node);
