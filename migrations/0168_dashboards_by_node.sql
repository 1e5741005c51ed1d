-- while the service runs
-- formerly b7f6a9b9c36b17ae33cbbb033e0c51a409ef0cbfabf74fdea8494a18272955ba
-- A node that goes takes the dashboards with it that were open there.
create index concurrently if not exists open_dashboards_node on open_dashboards (node);
