-- Channels, types of contact methods and urgencies are declared in the code, each by its own description; a new channel needs no
-- migration. Releases before this one read rows by their own lists, and leave what they do not know to newer nodes.
alter table deliveries drop constraint deliveries_channel_check;
alter table messages drop constraint messages_channel_check;
alter table notification_rules drop constraint notification_rules_channels_check;
alter table notification_rules drop constraint notification_rules_urgency_check;
alter table pages drop constraint pages_urgency_check;
alter table contact_method_sends drop constraint contact_method_sends_type_check;
alter table contact_methods drop constraint contact_methods_type_check;
-- Which types have a signing secret, and which a chat_user_id, is part of the same descriptions.
alter table contact_methods drop constraint contact_methods_check;
alter table contact_methods drop constraint contact_methods_check2;
