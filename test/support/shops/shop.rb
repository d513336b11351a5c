# A shop on Rails with the action of examples/may-sign: ruby shop.rb FOLDER_OF_THE_CONTROLLER PORT
require "rails"
require "action_controller/railtie"
require "active_record"
require "rack/handler/webrick"

class Shop < Rails::Application
  config.load_defaults 6.1
  config.root = Dir.pwd
  config.eager_load = false
  config.force_ssl = true
  config.hosts << "shop.example"
  config.secret_key_base = "of a test" * 8
  config.logger = Logger.new($stderr)
end
Shop.initialize! # before the controllers, which read its settings

ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: "shop.sqlite3", pool: 50)
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:orders) do |table|
    table.integer :user_id
    table.decimal :total, precision: 9, scale: 2
    table.boolean :paid
  end
end
class Order < ActiveRecord::Base
  after_find { raise "the database is away" if id == 666 }
end
[[666, 7, false], [1001, 7, false], [1002, 8, false], [1003, 7, true], [1004, nil, false]].each do |id, user_id, paid|
  Order.create!(id: id, user_id: user_id, total: 100, paid: paid)
end

class SessionsController < ActionController::Base
  def create
    session[:user_id] = params.fetch(:user, 7).to_i
    head :ok
  end
end
require File.join(ARGV[0], "may_sign_controller")
Shop.routes.draw do
  post "may-sign", to: "may_sign#create"
  get "log-in", to: "sessions#create"
end
Rack::Handler::WEBrick.run(Shop, Host: "127.0.0.1", Port: ARGV[1].to_i, AccessLog: [])
